import type { Module } from '#lib/module.ts'
import * as admin from './admin.operations.tsx'
import * as suspension from './suspension.operations.tsx'
import * as adminPages from './admin.pages.tsx'
import * as users from './users.operations.tsx'
import * as usersPages from './users.pages.tsx'

export const adminModule: Module = {
  operations: [admin, suspension, users],
  pages: [adminPages, usersPages],
}
