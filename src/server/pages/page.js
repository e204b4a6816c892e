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

const reference = document.getElementById('reference');

/** Parts of Swagger UI that need a name for screen readers, and those that become regions. */
const NAMES = { '#servers': 'Server', '.information-container': 'About', '.scheme-container': 'Server and keys' };

/** Corrects what Swagger UI renders for keyboards and screen readers: links in buttons, heading levels, names. */
function correctReference() {
  for (const link of reference.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href');
  // Level 2 is missing between the title and the groups of operations.
  for (const heading of reference.querySelectorAll('h3, h4, h5')) {
    heading.setAttribute('aria-level', String(Number(heading.tagName[1]) - 1));
  }
  for (const [selector, name] of Object.entries(NAMES)) {
    const part = reference.querySelector(selector);
    part?.setAttribute('aria-label', name);
    if (part?.tagName === 'DIV') part.setAttribute('role', 'region');
  }
}

if (reference) {
  new MutationObserver(correctReference).observe(reference, { childList: true, subtree: true });
  SwaggerUIBundle({ url: '../openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null });
}
