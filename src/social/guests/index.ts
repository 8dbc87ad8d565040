import type { Module } from '#lib/module.ts'
import * as guest from './guest.operations.tsx'
import * as guestPages from './guest.pages.tsx'
import * as input from './input.ts'
import * as links from './links.operations.tsx'

export const guestsModule: Module = {
  operations: [links, guest],
  pages: [guestPages],
  contracts: [input],
}
