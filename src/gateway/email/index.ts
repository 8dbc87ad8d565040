import type { Module } from '#lib/module.ts'
import { emailMessages } from '../schema.ts'
import * as deadLetters from './dead-letters.operations.tsx'
import * as deadLetterPages from './dead-letters.pages.tsx'
import { maintainEmails, sendEmail, sendSystemEmail } from './jobs.ts'
import * as log from './log.operations.tsx'
import * as pages from './mail.pages.tsx'
import * as messages from './messages.operations.ts'

export const emailModule: Module = {
  operations: [messages, log, deadLetters],
  pages: [pages, deadLetterPages],
  jobs: [sendEmail, sendSystemEmail, maintainEmails],
  schedules: [{ cron: '0 6,16,26,36,46,56 * * * *', job: maintainEmails }],
  sealed: [emailMessages.sealedContent],
}
