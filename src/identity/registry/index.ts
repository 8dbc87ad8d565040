import type { Module } from '#lib/module.ts'
import * as access from './access.operations.tsx'
import * as actions from './actions/actions.operations.tsx'
import * as actionsContract from './actions/contract.ts'
import * as registryContract from './contract.ts'
import * as registry from './registry.operations.tsx'
import * as registryPages from './registry.pages.tsx'
import * as services from './services.operations.tsx'

export const registryModule: Module = {
  operations: [access, registry, services, actions],
  pages: [registryPages],
  contracts: [registryContract, actionsContract],
}
