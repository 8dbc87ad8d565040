/**
 * The attributes of a part that waits for DNS: the server checks it every few minutes. With `data-live` a failed refresh
 * says nothing, and none happens during a change.
 */
export const refreshing = (url: string) =>
  ({ 'hx-get': url, 'hx-trigger': 'every 30s', 'hx-target': 'this', 'hx-swap': 'outerMorph', 'data-live': '' }) as const
