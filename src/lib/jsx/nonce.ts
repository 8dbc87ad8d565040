import { AsyncLocalStorage } from 'node:async_hooks'

const rendering = new AsyncLocalStorage<string>()

/** Draws with the nonce of the request's Content-Security-Policy at hand. */
export const withNonce = <T>(nonce: string, render: () => T): T => rendering.run(nonce, render)

/** The nonce of the answer being drawn; undefined outside `withNonce`. */
export const currentNonce = (): string | undefined => rendering.getStore()
