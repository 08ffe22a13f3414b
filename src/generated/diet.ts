// Generated from openapi/diet.yaml by scripts/codegen.ts. Do not edit.
import type { ContractDocument } from '../contract/document.ts'
import type { Handler } from '../contract/handler.ts'
import type { operations } from './diet.types.ts'

export type { components, operations } from './diet.types.ts'

export interface MealsHandlers {
  /** List today's meals — GET /meals/today */
  listTodaysMeals: Handler<operations['listTodaysMeals']>
  /** Adjust a meal — PUT /meals/{id} */
  updateMeal: Handler<operations['updateMeal']>
  /** Set the status of a meal — PUT /meals/{id}/status */
  setMealStatus: Handler<operations['setMealStatus']>
}

export interface NutritionHandlers {
  /** Report on today's nutrition — GET /nutrition/report */
  getNutritionReport: Handler<operations['getNutritionReport']>
}

export interface PlansHandlers {
  /** Create or replace the plan of a date — POST /plans */
  savePlan: Handler<operations['savePlan']>
  /** Show the plan of a date — GET /plans/{date} */
  getPlan: Handler<operations['getPlan']>
}

export interface RecipesHandlers {
  /** Recommend recipes — GET /recipes/recommended */
  listRecommendedRecipes: Handler<operations['listRecommendedRecipes']>
}

export interface DietHandlers {
  meals: MealsHandlers
  nutrition: NutritionHandlers
  plans: PlansHandlers
  recipes: RecipesHandlers
}

const successCodeSchema = { type: 'integer', enum: [200] }

const messageSchema = { type: 'string' }

const idSchema = { type: 'integer', format: 'int64', minimum: 1, maximum: 9007199254740991 }

const timeSchema = { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }

const figureSchema = { type: 'number', minimum: 0 }

const nutritionSchema = {
  type: 'object',
  required: ['protein', 'carbs', 'fat'],
  properties: { protein: figureSchema, carbs: figureSchema, fat: figureSchema },
  additionalProperties: false,
}

const mealStatusSchema = { type: 'string', enum: ['pending', 'current', 'done'] }

const ingredientSchema = {
  type: 'object',
  required: ['name', 'amount'],
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    amount: { type: 'string', minLength: 1, maxLength: 40, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
  },
  additionalProperties: false,
}

const coverageSchema = { type: 'number', minimum: 0, maximum: 1 }

const unknownIngredientsSchema = { type: 'array', items: { type: 'string' } }

const fromRecipeSchema = { type: 'integer', minimum: 1, maximum: 9007199254740991 }

const mealSchema = {
  type: 'object',
  required: [
    'id',
    'time',
    'name',
    'description',
    'calories',
    'nutrition',
    'status',
    'ingredients',
    'coverage',
    'unknownIngredients',
    'ownFigures',
    'notExcluded',
    'version',
  ],
  properties: {
    id: idSchema,
    time: timeSchema,
    name: { type: 'string' },
    description: { type: 'string' },
    calories: figureSchema,
    nutrition: nutritionSchema,
    status: mealStatusSchema,
    ingredients: { type: 'array', items: ingredientSchema },
    coverage: coverageSchema,
    unknownIngredients: unknownIngredientsSchema,
    ownFigures: { type: 'array', items: { type: 'string', enum: ['calories', 'protein', 'carbs', 'fat'] } },
    notExcluded: { type: 'array', items: { type: 'string' } },
    fromRecipe: fromRecipeSchema,
    version: { type: 'string', maxLength: 32, pattern: '^[0-9a-f]{32}$' },
  },
  additionalProperties: false,
}

const mealListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: { type: 'array', items: mealSchema } },
  additionalProperties: false,
}

const mealSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: mealSchema },
  additionalProperties: false,
}

const caloriesSchema = { type: 'number', minimum: 0, maximum: 20000 }

const ingredientsSchema = { type: 'array', maxItems: 50, items: ingredientSchema }

const updateMealSchema = {
  type: 'object',
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    calories: caloriesSchema,
    ingredients: ingredientsSchema,
    version: { type: 'string', maxLength: 32, pattern: '^[0-9a-f]{32}$' },
  },
  additionalProperties: false,
}

const doneSuccessSchema = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: successCodeSchema, message: messageSchema },
  additionalProperties: false,
}

const setMealStatusSchema = {
  type: 'object',
  required: ['status'],
  properties: { status: mealStatusSchema },
  additionalProperties: false,
}

const statementSchema = {
  type: 'object',
  required: ['code', 'params', 'text'],
  properties: {
    code: { type: 'string' },
    params: { type: 'object', additionalProperties: true },
    text: { type: 'string' },
  },
  additionalProperties: false,
}

const targetRangeSchema = {
  type: 'object',
  required: ['min', 'max'],
  properties: { min: figureSchema, max: figureSchema },
  additionalProperties: false,
}

const targetSchema = {
  type: 'object',
  required: ['calories', 'protein', 'carbs', 'fat'],
  properties: { calories: figureSchema, protein: targetRangeSchema, carbs: targetRangeSchema, fat: targetRangeSchema },
  additionalProperties: false,
}

const eatenSchema = {
  type: 'object',
  required: ['calories', 'protein', 'carbs', 'fat'],
  properties: { calories: figureSchema, protein: figureSchema, carbs: figureSchema, fat: figureSchema },
  additionalProperties: false,
}

const nutritionReportSchema = {
  type: 'object',
  required: [
    'dailyCalories',
    'nutrition',
    'suggestions',
    'status',
    'target',
    'eaten',
    'coverage',
    'unknownIngredients',
  ],
  properties: {
    dailyCalories: figureSchema,
    nutrition: nutritionSchema,
    suggestions: { type: 'array', items: { type: 'string' } },
    suggestionStatements: { type: 'array', items: statementSchema },
    status: { type: 'string', enum: ['good', 'warning', 'bad'] },
    target: targetSchema,
    eaten: eatenSchema,
    coverage: coverageSchema,
    unknownIngredients: unknownIngredientsSchema,
  },
  additionalProperties: false,
}

const nutritionReportSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: nutritionReportSchema },
  additionalProperties: false,
}

const calendarDateSchema = { type: 'string', format: 'date', pattern: '^[1-9]\\d{3}-\\d{2}-\\d{2}$' }

const mealPlanSchema = {
  type: 'object',
  required: [
    'id',
    'date',
    'meals',
    'totalCalories',
    'preferences',
    'allergies',
    'nutrition',
    'coverage',
    'unknownIngredients',
    'warnings',
    'version',
  ],
  properties: {
    id: idSchema,
    date: calendarDateSchema,
    meals: { type: 'array', items: mealSchema },
    totalCalories: figureSchema,
    preferences: { type: 'array', items: { type: 'string' } },
    allergies: { type: 'array', items: { type: 'string' } },
    nutrition: nutritionSchema,
    coverage: coverageSchema,
    unknownIngredients: unknownIngredientsSchema,
    warnings: { type: 'array', items: { type: 'string' } },
    version: { type: 'string', maxLength: 32, pattern: '^[0-9a-f]{32}$' },
  },
  additionalProperties: false,
}

const mealPlanSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: mealPlanSchema },
  additionalProperties: false,
}

const gramsSchema = { type: 'number', minimum: 0, maximum: 5000 }

const plannedMealSchema = {
  type: 'object',
  properties: {
    time: timeSchema,
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
    },
    description: {
      type: 'string',
      maxLength: 500,
      pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
    },
    ingredients: ingredientsSchema,
    calories: caloriesSchema,
    nutrition: {
      type: 'object',
      properties: { protein: gramsSchema, carbs: gramsSchema, fat: gramsSchema },
      additionalProperties: false,
    },
    fromRecipe: fromRecipeSchema,
    recipeId: idSchema,
    servings: { type: 'number', minimum: 0.1, maximum: 20 },
  },
  required: ['time'],
  additionalProperties: false,
}

const wordsSchema = {
  type: 'array',
  maxItems: 30,
  items: {
    type: 'string',
    minLength: 1,
    maxLength: 50,
    pattern: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
  },
}

const savePlanSchema = {
  type: 'object',
  required: ['date', 'meals'],
  properties: {
    date: calendarDateSchema,
    meals: { type: 'array', maxItems: 24, items: plannedMealSchema },
    preferences: wordsSchema,
    allergies: wordsSchema,
    version: { type: 'string', maxLength: 32, pattern: '^([0-9a-f]{32})?$' },
  },
  additionalProperties: false,
}

const recipeSchema = {
  type: 'object',
  required: ['id', 'name', 'calories', 'suitable', 'description', 'nutrition', 'ingredients'],
  properties: {
    id: idSchema,
    name: { type: 'string' },
    calories: figureSchema,
    suitable: { type: 'array', items: { type: 'string' } },
    suitableStatements: { type: 'array', items: statementSchema },
    description: { type: 'string' },
    nutrition: nutritionSchema,
    ingredients: { type: 'array', items: ingredientSchema },
  },
  additionalProperties: false,
}

const recipeListSuccessSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: successCodeSchema, message: messageSchema, data: { type: 'array', items: recipeSchema } },
  additionalProperties: false,
}

export const dietDocument: ContractDocument<DietHandlers> = {
  name: 'diet',
  title: 'Diet Management API',
  prefix: '/api/v1/diet',
  envelope: 'message',
  shared: [],
  operations: [
    {
      id: 'listTodaysMeals',
      tag: 'meals',
      group: 'meals',
      summary: 'List today\'s meals',
      method: 'GET',
      path: '/meals/today',
      url: '/meals/today',
      secured: true,
      schema: { response: mealListSuccessSchema },
      rateLimit: { max: 10, window: 60, by: 'user', bucket: 'reads' },
      cache: { maxAge: 300 },
    },
    {
      id: 'updateMeal',
      tag: 'meals',
      group: 'meals',
      summary: 'Adjust a meal',
      method: 'PUT',
      path: '/meals/{id}',
      url: '/meals/:id',
      secured: true,
      schema: {
        body: updateMealSchema,
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: mealSuccessSchema,
      },
      rateLimit: { max: 5, window: 60, by: 'user', bucket: 'writes' },
      dropsCache: true,
    },
    {
      id: 'setMealStatus',
      tag: 'meals',
      group: 'meals',
      summary: 'Set the status of a meal',
      method: 'PUT',
      path: '/meals/{id}/status',
      url: '/meals/:id/status',
      secured: true,
      schema: {
        body: setMealStatusSchema,
        params: { type: 'object', properties: { id: idSchema }, required: ['id'], additionalProperties: false },
        response: doneSuccessSchema,
      },
      rateLimit: { max: 5, window: 60, by: 'user', bucket: 'writes' },
      dropsCache: true,
    },
    {
      id: 'getNutritionReport',
      tag: 'nutrition',
      group: 'nutrition',
      summary: 'Report on today\'s nutrition',
      method: 'GET',
      path: '/nutrition/report',
      url: '/nutrition/report',
      secured: true,
      schema: { response: nutritionReportSuccessSchema },
      rateLimit: { max: 10, window: 60, by: 'user', bucket: 'reads' },
      cache: { maxAge: 600 },
    },
    {
      id: 'savePlan',
      tag: 'plans',
      group: 'plans',
      summary: 'Create or replace the plan of a date',
      method: 'POST',
      path: '/plans',
      url: '/plans',
      secured: true,
      schema: { body: savePlanSchema, response: mealPlanSuccessSchema },
      rateLimit: { max: 5, window: 60, by: 'user', bucket: 'writes' },
      dropsCache: true,
    },
    {
      id: 'getPlan',
      tag: 'plans',
      group: 'plans',
      summary: 'Show the plan of a date',
      method: 'GET',
      path: '/plans/{date}',
      url: '/plans/:date',
      secured: true,
      schema: {
        params: {
          type: 'object',
          properties: { date: calendarDateSchema },
          required: ['date'],
          additionalProperties: false,
        },
        response: mealPlanSuccessSchema,
      },
      rateLimit: { max: 10, window: 60, by: 'user', bucket: 'reads' },
    },
    {
      id: 'listRecommendedRecipes',
      tag: 'recipes',
      group: 'recipes',
      summary: 'Recommend recipes',
      method: 'GET',
      path: '/recipes/recommended',
      url: '/recipes/recommended',
      secured: true,
      schema: { response: recipeListSuccessSchema },
      rateLimit: { max: 10, window: 60, by: 'user', bucket: 'reads' },
      cache: { maxAge: 3600 },
    },
  ],
}
