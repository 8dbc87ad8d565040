import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'

export type ChangeCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'events' | 'config' | 'queue'>
