import type { Call } from '#lib/call.ts'

/** Whether mails are kept in the development mailbox instead of being sent. */
export const usesDevMailbox = ({ config }: Pick<Call, 'config'>): boolean => config.offlineHelps && !config.SMTP_URL
