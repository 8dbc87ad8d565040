const base64url = (text: string): string => Buffer.from(text).toString('base64url')

/** The `signed_request` that Meta sends to an app's callbacks: signed with the app's secret, over the encoded payload. */
export function signRequest(appSecret: string, payload: Record<string, unknown>): string {
  const encoded = base64url(JSON.stringify({ algorithm: 'HMAC-SHA256', ...payload }))
  const signature = new Bun.CryptoHasher('sha256', appSecret).update(encoded).digest('base64url')
  return `${signature}.${encoded}`
}

/** Calls a callback of the app as Meta does. */
export const callBack = (url: string, appSecret: string, payload: Record<string, unknown>): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ signed_request: signRequest(appSecret, payload) }),
    redirect: 'manual',
  })
