import { AsyncLocalStorage } from 'node:async_hooks'

const rendering = new AsyncLocalStorage<string>()

export const withNonce = <T>(nonce: string, render: () => T): T => rendering.run(nonce, render)

/** The nonce of the response being rendered; undefined outside `withNonce`. */
export const currentNonce = (): string | undefined => rendering.getStore()
