import type { Module } from '#lib/module.ts'
import * as chat from './chat.operations.ts'
import * as messages from './messages.operations.ts'
import * as models from './models.operations.ts'
import * as openai from './openai.operations.ts'

export const aiModule: Module = { operations: [chat, messages, models, openai] }
