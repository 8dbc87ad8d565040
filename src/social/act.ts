import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'

/** What a verb that changes something needs of its call: the transaction, who, when, who is told, and the settings. */
export type Act = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'events' | 'config'>
