import type { Call } from '#lib/call.ts'

/** Whether what is mailed stays in this server's own mailbox, where anybody may look for it. */
export const usesDevMailbox = ({ config }: Pick<Call, 'config'>): boolean => config.offlineHelps && !config.SMTP_URL
