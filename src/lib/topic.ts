import type { z } from 'zod'
import type { Actor, Permission } from './actor.ts'
import type { Call } from './call.ts'

interface Definition<Payload> {
  /** The part before the colon: `posts` in `posts:<id>`. */
  name: string
  permission: Permission
  /** Whether it is about no single resource: its only ID is `all`. */
  single?: true
  event: string
  payload: z.ZodType<Payload>
  idOf(payload: Payload): string
  /** Whether the actor, who has the permission, can read this resource. @throws {Problem} 403 or 404 */
  authorize(call: Call<string, Actor>): Promise<unknown>
}

export type Topic = Definition<unknown>

export const topic = <Payload>(definition: Definition<Payload>): Topic => definition
