import type { Module } from '#lib/module.ts'
import * as apps from './apps.operations.ts'
import * as provision from './provision.operations.ts'

export const accessModule: Module = { operations: [provision, apps] }
