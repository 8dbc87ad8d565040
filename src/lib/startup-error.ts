/** A failure that the operator can fix: its message says what is wrong and what to do, and no stack is shown. */
export class StartupError extends Error {
  readonly exitCode = 1

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartupError'
  }
}
