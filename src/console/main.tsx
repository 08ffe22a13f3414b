import './app/base.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { loadLocale, preferredLanguage } from './app/language.tsx'
import { pressOnce } from './app/press-once.ts'

const language = preferredLanguage()
document.documentElement.lang = language
const root = document.getElementById('root')
if (root === null) throw new Error('the page has no place for the console')
pressOnce()
createRoot(root).render(<App locale={await loadLocale(language)} />)
