import type { Module } from '#lib/module.ts'
import * as contract from './contract.ts'
import * as operations from './onboarding.operations.ts'

export const onboardingModule: Module = { operations: [operations], contracts: [contract] }
