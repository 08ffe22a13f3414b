/** `Names`. It does not compile where `All` lacks one of them. */
export type Within<All, Names extends All> = Names
