/* global SwaggerUIBundle */
// Script of the pages at / and /docs/.

/** The theme that was selected in the viewer; `system` follows that of the system. */
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
function applyTheme() {
  const selected = localStorage.getItem('ors-theme') ?? 'system';
  const isDark = selected === 'dark' || (selected !== 'light' && systemIsDark.matches);
  document.documentElement.dataset.theme = selected;
  document.documentElement.classList.toggle('dark-mode', isDark);
}
applyTheme();
systemIsDark.addEventListener('change', applyTheme);

/** Name under which the viewer keeps the API key of this tab. */
const KEY = 'ors-key';
const form = document.getElementById('key');

/** Replaces the question for a key by the page that the server returns for it. */
async function openWithKey(key) {
  const headers = { Accept: 'text/html', Authorization: `Bearer ${key}` };
  const response = await fetch(location.pathname, { headers });
  if (!response.ok) {
    sessionStorage.removeItem(KEY);
    form.querySelector('[role=alert]').textContent =
      response.status === 401 ? 'This key is not known here.' : `The server responded with status ${response.status}.`;
    return;
  }
  sessionStorage.setItem(KEY, key);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  document.querySelector('main').replaceWith(page.querySelector('main'));
}

if (form) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void openWithKey(new FormData(form).get('key').trim());
  });
  const known = sessionStorage.getItem(KEY);
  if (known !== null) void openWithKey(known);
}

if (document.getElementById('reference')) {
  SwaggerUIBundle({ url: '../openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null });
}
