import { z } from 'zod'

/** A mail as somebody wrote it: the same in words and in HTML. */
export interface Letter {
  subject: string
  text: string
  html: string | Promise<string>
}

/** The part of it that is sealed. */
export const Content = z.object({ text: z.string(), html: z.string() })
export type Content = z.infer<typeof Content>

/** A mail that goes out. */
export interface Outgoing extends Content {
  id: string
  recipient: string
  subject: string
}
