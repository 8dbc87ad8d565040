/** Mozilla's list for Firefox accounts: 50,000 passwords of 8 characters and more, in lowercase. */
declare module 'fxa-common-password-list' {
  const list: { test(password: string): boolean }
  export default list
}
