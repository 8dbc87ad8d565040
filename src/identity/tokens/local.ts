import type { Config } from '#config'
import { authorize } from '#lib/authorize.ts'
import type { Events } from '#lib/events.ts'
import { personOf } from '../accounts/caller.ts'
import { whoAmI } from '../accounts/current.ts'
import { preferencesOf } from '../accounts/preferences.ts'
import { listCallableActions } from '../registry/actions/catalog.ts'
import { consoleSlug } from '../registry/actions/own-actions.ts'
import { issueAppToken } from './app-tokens/issue.ts'
import { createKeyUses } from '../api-keys/validation/uses.ts'
import { createIdentityClient } from '../client/create-client.ts'
import { Me } from '../contract.ts'
import { bearerOf, credentialOf } from './credential.ts'
import { createActionSync } from '../developer-console/actions/action-sync.ts'
import type { KeyStore } from './signing-keys.ts'
import { createTokensByCaller } from './service-keys/token-cache.ts'
import { consumeServiceToken } from './service-keys/single-use-tokens.ts'
import { serviceTokens } from './tokens.ts'
import { createValidationCache, createValidator } from './validator.ts'

interface LocalOptions extends KeyStore {
  config: Config
  events: Events
  /** Handles a request in this server, without a socket. */
  fetch: (request: Request) => Promise<Response>
  caller: string
  onError(error: unknown): void
}

export function createLocalIdentity({ config, events, fetch, caller, onError, ...store }: LocalOptions) {
  const validate = createValidator(store, createValidationCache(events, store.now))
  const keyUses = createKeyUses(store.db, store.now, onError)
  const tokensOf = createTokensByCaller((slug) => serviceTokens(store, slug))
  const client = createIdentityClient({
    fetch,
    baseUrl: 'http://localhost',
    caller,
    serviceTokens: tokensOf,
    validate: async (presented) => {
      const answer = await validate(credentialOf(presented, config), presented)
      if (presented.once && answer.tokenType === 'service')
        await consumeServiceToken(store.db, bearerOf(presented) ?? '')
      if (answer.apiKey && !presented.passive) keyUses.note(answer, presented.permission)
      return answer
    },
    inProcess: {
      // The permissions of `GET /api/auth/me` and `GET /api/auth/app-switcher/preferences`.
      me: async (actor) => {
        authorize(actor, 'person', '')
        return Me.parse(await whoAmI({ db: store.db, actor }))
      },
      preferences: async (actor) => {
        authorize(actor, 'signed-in', '')
        return preferencesOf(store.db, personOf(actor))
      },
      actions: (actor, query) => listCallableActions(store.db, actor, query),
      appToken: async (presented, service) =>
        issueAppToken(store, await validate(credentialOf(presented, config), { passive: true }), service),
    },
  })
  const actionSync = createActionSync({
    fetch,
    baseUrl: 'http://localhost',
    serviceToken: tokensOf(consoleSlug),
  })
  return { client, validate, keyUses, serviceTokens: tokensOf, actionSync }
}
