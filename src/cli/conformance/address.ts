import { usage } from './usage.ts';

/** The base URL of the server to test. @throws Failure with the exit code of usage errors. */
export function readAddress(address: string): URL {
  const url = /^https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : undefined;
  if (!url) {
    const meant = `http://${address.replace(/^.*:\/\//, '')}`;
    const advice = URL.canParse(meant) ? meant : 'http://127.0.0.1:8080';
    throw usage(`'${address}' is not the address of a server; write it like ${advice}`);
  }
  if (url.username || url.password) {
    throw usage(`the address of ${url.host} has a name or password in it; send them with --header instead`);
  }
  return new URL(url.origin + url.pathname.replace(/\/+$/, ''));
}

/** Whether the address is one of this machine, whatever a name server says. */
export const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
