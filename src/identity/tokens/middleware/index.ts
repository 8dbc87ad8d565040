export { Problem } from '#lib/errors.ts'
export type { Actor, Permission } from '#lib/actor.ts'
export { answerBrowser } from './browser.ts'
export { createIdentityMiddleware, type IdentityMiddleware } from './middleware.ts'
