import type { z } from 'zod'
import type { Actor, Permission } from './actor.ts'
import type { Call } from './call.ts'

interface Definition<Payload> {
  /** The part before the colon: `posts` in `posts:<id>`. */
  name: string
  permission: Permission
  /** The event that is published when a topic changes. */
  event: string
  payload: z.ZodType<Payload>
  /** The part after the colon. */
  idOf(payload: Payload): string
  /** Checks that the actor, who has the permission, can read the resource with this id. Throws 403 or 404. */
  authorize(call: Call<string, Actor>): Promise<unknown>
}

/** A topic without its type parameter, for the live channel. */
export type Topic = Definition<unknown>

export const topic = <Payload>(definition: Definition<Payload>): Topic => definition
