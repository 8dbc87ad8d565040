import { digest } from '#lib/ids.ts'

/** By which the callbacks of Instagram find an account, also after its data was erased. */
export const subjectOf = (userId: string): string => digest(`instagram ${userId}`)
