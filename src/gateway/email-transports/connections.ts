import { createSmtpPool, type SmtpPool } from './smtp.ts'

declare module '#lib/call.ts' {
  interface Provided {
    /** The connections of this process to mail servers. */
    readonly emailConnections: SmtpPool
  }
}

export const openEmailConnections = createSmtpPool
