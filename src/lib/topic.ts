import type { z } from 'zod'
import type { Actor, Permission } from './actor.ts'
import type { Call } from './call.ts'

interface Definition<Payload> {
  /** The part before the colon: `posts` in `posts:<id>`. */
  name: string
  permission: Permission
  /** The event that changes a topic of this name, and its payload. */
  event: string
  payload: z.ZodType<Payload>
  /** The id behind the colon. */
  idOf(payload: Payload): string
  /** Checks that the actor, who has the permission, can read what the id names. Throws 403 or 404. */
  authorize(call: Call<string, Actor>): Promise<unknown>
}

/** A topic with its types forgotten: what the live channel reads. */
export type Topic = Definition<unknown>

/** Declares something whose changes open pages hear of at `/api/live`. */
export const topic = <Payload>(definition: Definition<Payload>): Topic => definition
