import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'

/** The parts of a call that changes need: transaction, actor, clock, events and settings. */
export type ChangeCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'events' | 'config'>
