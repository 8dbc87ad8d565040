import type { Module } from '#lib/module.ts'
import * as sandbox from './sandbox.operations.tsx'
import * as sandboxPages from './sandbox.pages.tsx'

export const sandboxModule: Module = {
  operations: [sandbox],
  pages: [sandboxPages],
}
