/** A request with one more header, which the browser asks the server about first. */
export async function sendHeader(url: string, name: string, value: string) {
  const response = await fetch(`${url}/list_environments`, { headers: { [name]: value } });
  return response.status;
}

/** The header of an answer that names what the server ignored: here `extra`. */
export async function readIgnoredFields(url: string) {
  const headers = { 'X-Session-ID': crypto.randomUUID(), 'Content-Type': 'application/json' };
  const body = JSON.stringify({ env_name: 'lab', split: 'train', index: 0, extra: true });
  const created = await fetch(`${url}/create`, { method: 'POST', headers, body });
  await fetch(`${url}/delete`, { method: 'POST', headers });
  return created.headers.get('X-Ignored-Fields');
}
