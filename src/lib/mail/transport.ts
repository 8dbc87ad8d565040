import type { Outgoing } from './letter.ts'

/**
 * Another service that sends mails instead of this outbox. A mail is handed over in two steps, so that exactly one of
 * them sends it: the service holds it, the outbox commits that it no longer sends it itself, and confirms.
 */
export interface MailTransport {
  /** Stores a mail under its ID, without sending it. Again, it does nothing. @throws unless it is stored */
  hold(mail: Outgoing): Promise<void>
  /** From now on the service sends it. `lost`: it no longer has it, and never sent it. @throws without a response */
  confirm(id: string): Promise<'confirmed' | 'lost'>
  /** `open` while it is being sent. */
  outcome(id: string): Promise<{ state: 'open' | 'sent' } | { state: 'refused'; problem: string }>
}
