import { z } from 'zod'

/** The content of a mail, from which its text and HTML are made. */
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
