import { z } from 'zod'

export interface Letter {
  subject: string
  text: string
  html: string | Promise<string>
}

export const Content = z.object({ text: z.string(), html: z.string() })
export type Content = z.infer<typeof Content>

export interface Outgoing extends Content {
  id: string
  recipient: string
  subject: string
}
