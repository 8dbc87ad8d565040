/** A failure that the operator can mend: its message says what is wrong and what to do, and no stack is shown. */
export class StartupError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.name = 'StartupError'
    this.exitCode = exitCode
  }
}
