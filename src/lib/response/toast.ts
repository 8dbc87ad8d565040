/**
 * The value of `HX-Trigger` that shows a short message once the answer is in.
 * Headers are Latin-1, so other characters are escaped.
 */
export const toastTrigger = (message: string, tone: 'success' | 'danger' = 'success'): string =>
  JSON.stringify({ toast: { target: 'body', message, tone } }).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
