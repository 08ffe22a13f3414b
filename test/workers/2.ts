import './worker.ts'
