/** What everyone may open: one file for a browser. */
export { Home } from './home/Home.tsx'
export { MyAccount } from './me/MyAccount.tsx'
