// Generated from openapi/diet.yaml by scripts/codegen.ts. Do not edit.
export interface paths {
    "/meals/today": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List today's meals
         * @description The meals of today's plan, sorted by time. Without a plan the list is empty.
         */
        get: operations["listTodaysMeals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Adjust a meal
         * @description An absent field keeps its value. New ingredients replace all ingredients, and remove the caller's own figures.
         *     The allergies of the plan apply here too. The caller's own calories are stored, and are used only while the
         *     meal has an unknown ingredient. With `version` the request is refused (409, `db.changed_meanwhile`) if another
         *     one has changed the meal since it was read.
         */
        put: operations["updateMeal"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meals/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the status of a meal
         * @description Any status may follow any other. At most one meal of a day is `current`: the meal that was `current` before
         *     becomes `pending`.
         */
        put: operations["setMealStatus"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nutrition/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report on today's nutrition
         * @description Compares the whole plan of today with a daily target: `DIET_DAILY_CALORIES` (2000 kcal by default), with 10–20
         *     % of the energy from protein, 50–65 % from carbs and 20–30 % from fat (4, 4 and 9 kcal per gram).
         *
         *     `good`: the calories are within 10 % of the target, all three shares are within their ranges, and every
         *     ingredient is known. `bad`: the calories are more than 25 % off, or a share is more than 10 points outside its
         *     range; if ingredients are unknown, only too many calories give `bad`, because the other figures are not
         *     certain. Otherwise, and without a plan, `warning`. Each suggestion contains its figures, and names a recipe if
         *     a recipe would bring the day closer to the target.
         */
        get: operations["getNutritionReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or replace the plan of a date
         * @description The request contains the whole plan. It replaces an earlier plan of that date, together with the status of its
         *     meals. With `version` it is refused (409, `db.changed_meanwhile`) if another request has changed the plan since
         *     it was read. Absent preferences or allergies are saved as an empty list. A meal is either written out (`name`,
         *     `ingredients`, and, for foods that are not in the table, `calories` and `nutrition`), or a recipe with its
         *     `recipeId` and a number of `servings`.
         */
        post: operations["savePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plans/{date}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the plan of a date
         * @description The caller's own plan; 404 for a date without one. 400 for a date that does not exist in the calendar.
         */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recipes/recommended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recommend recipes
         * @description Up to 10 recipes, the best first; the same data always gives the same response. The recipes have at most the
         *     calories of the daily target minus those of today's meals that are `done` or `current`. They contain no
         *     allergen of today's plan or of the plan that was saved last. They were not planned today or on the three days
         *     before.
         *
         *     The preferences are those of today's plan, or without a plan today those of the plan that was saved last.
         *     `vegetarian`, `vegan` and foods to avoid (`no pork`, `不吃香菜`) exclude recipes. Recipes that fit most of the
         *     other preferences (`low fat`, `high protein`, `low calorie`, `high fibre`, `low carb`, a cuisine, a food) come
         *     first, then those that fit the rest of the day. `suitable` says why a recipe is recommended.
         */
        get: operations["listRecommendedRecipes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @enum {integer} */
        SuccessCode: 200;
        /** @description A text for people; programs must not parse it */
        Message: string;
        /**
         * @description Why the request failed, for programs: `<what refused it>.<why>`. The meaning of a code never changes. New
         *     codes may be added: treat an unknown code by the value of `code`. docs/reasons.md lists all codes with their
         *     texts.
         * @enum {string}
         */
        FailureReason: "service.busy" | "service.client_gone" | "service.database_away" | "service.internal" | "service.invalid" | "service.log_away" | "service.limited" | "service.stopping" | "contract.no_operation" | "contract.no_method" | "contract.path_encoding" | "contract.path_too_long" | "contract.host_missing" | "contract.expectation" | "contract.unreadable" | "contract.not_http" | "contract.timed_out" | "contract.headers_too_large" | "contract.chunk_extensions_too_large" | "contract.body_too_large" | "contract.body_length" | "contract.media_type" | "contract.not_utf8" | "contract.not_json" | "contract.prototype" | "contract.too_deep" | "contract.name_nul" | "contract.name_surrogate" | "contract.required" | "contract.given_twice" | "contract.not_text" | "contract.not_whole_number" | "contract.not_number" | "contract.not_boolean" | "contract.not_object" | "contract.not_list" | "contract.not_null" | "contract.wrong_type" | "contract.not_one_of" | "contract.empty" | "contract.too_short" | "contract.too_long" | "contract.too_few_entries" | "contract.too_many_entries" | "contract.too_few_fields" | "contract.too_many_fields" | "contract.same_entry" | "contract.too_small" | "contract.too_great" | "contract.not_above" | "contract.not_below" | "contract.format" | "contract.pattern" | "contract.rule" | "contract.console_header" | "db.user_not_found" | "db.group_not_found" | "db.role_not_found" | "db.menu_not_found" | "db.api_not_found" | "db.field_relation_not_found" | "db.group_below_itself" | "db.menu_below_itself" | "db.groups_too_deep" | "db.menus_too_deep" | "db.group_has_groups" | "db.menu_has_menus" | "db.cursor_unusable" | "db.changed_meanwhile" | "text.control_characters" | "text.control_characters_but_lines" | "text.nothing_visible" | "text.no_name" | "text.no_text" | "text.no_mail_address" | "text.no_mobile" | "text.no_date" | "text.no_time_of_day" | "text.nul" | "text.surrogate" | "text.password_length" | "text.password_common" | "text.password_known_name" | "access.not_signed_in" | "access.session_over" | "access.not_granted" | "access.roles_lost" | "access.strongest_only" | "access.step_up" | "access.step_up_without_factor" | "access.user_too_strong" | "access.group_users_too_strong" | "access.subtree_users_too_strong" | "access.role_too_strong" | "access.role_holders_too_strong" | "access.last_administrator" | "access.mail_signs_in" | "access.source_fixed" | "access.granted_role_too_strong" | "access.granted_role_beyond" | "access.role_beyond" | "access.api_not_held" | "access.menu_not_held" | "access.administrator_role_fixed" | "access.administrator_role_stays" | "access.administrator_role_grants_all" | "access.role_held" | "access.role_named" | "access.keyword_fixed" | "access.keyword_reserved" | "access.api_fixed" | "access.api_served" | "access.api_granted" | "access.role_name_taken" | "access.role_keyword_taken" | "access.menu_name_taken" | "access.api_taken" | "access.operation_not_found" | "access.link_signs_in" | "access.password_signs_in" | "auth.wrong_credentials" | "auth.token_invalid" | "auth.too_many_attempts" | "auth.wrong_password" | "auth.wrong_mail_code" | "auth.wrong_factor_code" | "auth.second_factor_required" | "auth.new_password_required" | "auth.same_password" | "auth.no_code_asked" | "auth.no_mailed_code" | "auth.enrolment_required" | "auth.enrolment_late" | "auth.link_void" | "auth.session_signed_out" | "auth.session_ended_password" | "auth.session_ended_disabled" | "auth.session_ended_theft" | "auth.session_ended_elsewhere" | "auth.session_ended_restore" | "auth.session_too_old" | "auth.session_not_found" | "auth.password_tools_off" | "auth.not_encrypted" | "auth.encrypted_text_void" | "auth.app_not_found" | "auth.user_without_app" | "auth.app_enrolled" | "auth.no_app_enrolled" | "auth.no_app_to_confirm" | "auth.app_key_changed" | "auth.other_step_up_method" | "auth.no_step_up_method" | "diet.plan_not_found" | "diet.meal_not_found" | "diet.recipe_not_found" | "diet.amount" | "diet.allergen" | "diet.required_without_recipe" | "diet.only_with_recipe" | "diet.not_with_recipe";
        /**
         * @description The values in the text of the reason, by name; numbers are strings too. Empty if the text has no values. A value
         *     that can itself be translated is there a second time, under its name with `.0`, as the JSON of a statement
         *     `{code, params, text}`.
         */
        ReasonValues: {
            [key: string]: string;
        };
        /** @description The fields at fault, or null */
        FieldProblems: components["schemas"]["FieldProblem"][] | null;
        FieldProblem: {
            /** @description The field's path, such as `meals.0.ingredients.2.amount` */
            field: string;
            message: string;
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        /** Format: int64 */
        Id: number;
        /**
         * Format: date
         * @description A date, `YYYY-MM-DD`
         */
        CalendarDate: string;
        /** @description `HH:mm` */
        Time: string;
        Words: string[];
        /** @description Rounded to one decimal */
        Figure: number;
        /** @description In grams */
        Nutrition: {
            protein: components["schemas"]["Figure"];
            carbs: components["schemas"]["Figure"];
            fat: components["schemas"]["Figure"];
        };
        Eaten: {
            calories: components["schemas"]["Figure"];
            protein: components["schemas"]["Figure"];
            carbs: components["schemas"]["Figure"];
            fat: components["schemas"]["Figure"];
        };
        /** @description In grams */
        TargetRange: {
            min: components["schemas"]["Figure"];
            max: components["schemas"]["Figure"];
        };
        Target: {
            calories: components["schemas"]["Figure"];
            protein: components["schemas"]["TargetRange"];
            carbs: components["schemas"]["TargetRange"];
            fat: components["schemas"]["TargetRange"];
        };
        /**
         * @description The share of the ingredients that the figures are computed from, rounded down to two decimals. A meal without
         *     ingredients counts as one unknown ingredient. 1 if nothing is planned.
         */
        Coverage: number;
        /** @description The ingredients without figures, each listed once */
        UnknownIngredients: string[];
        /** @enum {string} */
        MealStatus: "pending" | "current" | "done";
        SetMealStatus: {
            status: components["schemas"]["MealStatus"];
        };
        Ingredient: {
            name: string;
            /** @description A number and a unit */
            amount: string;
        };
        Ingredients: components["schemas"]["Ingredient"][];
        /** @description The caller's own figure, in kcal */
        Calories: number;
        /** @description The caller's own figure, in grams */
        Grams: number;
        UpdateMeal: {
            name?: string;
            calories?: components["schemas"]["Calories"];
            ingredients?: components["schemas"]["Ingredients"];
            /** @description The `version` of the meal that this changes */
            version?: string;
        };
        Meal: {
            id: components["schemas"]["Id"];
            time: components["schemas"]["Time"];
            name: string;
            description: string;
            calories: components["schemas"]["Figure"];
            nutrition: components["schemas"]["Nutrition"];
            status: components["schemas"]["MealStatus"];
            ingredients: components["schemas"]["Ingredient"][];
            coverage: components["schemas"]["Coverage"];
            unknownIngredients: components["schemas"]["UnknownIngredients"];
            /** @description Which figures are the caller's own */
            ownFigures: ("calories" | "protein" | "carbs" | "fat")[];
            /** @description Ingredients that may contain an allergen of the plan, because the table of foods does not have them; empty if the plan has no allergies */
            notExcluded: string[];
            fromRecipe?: components["schemas"]["FromRecipe"];
            /** @description Changes with every change of the meal, except of its status. Send it as `version` when you change the meal */
            version: string;
        };
        /**
         * @description The recipe that the ingredients are of; absent if they are of none, or were changed. Send it with the meal when you
         *     save the plan again, and leave it out when you change the ingredients.
         */
        FromRecipe: number;
        /** @description Either written out, or a recipe */
        PlannedMeal: components["schemas"]["WrittenMeal"] | components["schemas"]["RecipeMeal"];
        WrittenMeal: {
            time: components["schemas"]["Time"];
            name: string;
            description?: string;
            ingredients: components["schemas"]["Ingredients"];
            calories?: components["schemas"]["Calories"];
            nutrition?: {
                protein?: components["schemas"]["Grams"];
                carbs?: components["schemas"]["Grams"];
                fat?: components["schemas"]["Grams"];
            };
            fromRecipe?: components["schemas"]["FromRecipe"];
        };
        RecipeMeal: {
            time: components["schemas"]["Time"];
            recipeId: components["schemas"]["Id"];
            /** @description The number of servings, rounded to two decimals; 1 if absent */
            servings?: number;
        };
        SavePlan: {
            date: components["schemas"]["CalendarDate"];
            meals: components["schemas"]["PlannedMeal"][];
            preferences?: components["schemas"]["Words"];
            allergies?: components["schemas"]["Words"];
            /** @description The `version` of the plan that this one replaces; `""` if there was none of the date */
            version?: string;
        };
        MealPlan: {
            id: components["schemas"]["Id"];
            date: components["schemas"]["CalendarDate"];
            /** @description Sorted by time */
            meals: components["schemas"]["Meal"][];
            totalCalories: components["schemas"]["Figure"];
            preferences: string[];
            allergies: string[];
            nutrition: components["schemas"]["Nutrition"];
            coverage: components["schemas"]["Coverage"];
            unknownIngredients: components["schemas"]["UnknownIngredients"];
            /** @description What the caller should know about the allergies and preferences */
            warnings: string[];
            /** @description Changes with every change of the plan and of its meals, their status included. Send it as `version` when you replace the plan */
            version: string;
        };
        NutritionReport: {
            dailyCalories: components["schemas"]["Figure"];
            nutrition: components["schemas"]["Nutrition"];
            suggestions: string[];
            /** @description The suggestions, in a form that can be translated */
            suggestionStatements?: components["schemas"]["Statement"][];
            /** @enum {string} */
            status: "good" | "warning" | "bad";
            target: components["schemas"]["Target"];
            eaten: components["schemas"]["Eaten"];
            coverage: components["schemas"]["Coverage"];
            unknownIngredients: components["schemas"]["UnknownIngredients"];
        };
        Statement: {
            /** @description Stable: a statement that docs/reasons.md lists */
            code: string;
            /** @description The values in the text by their names: a text each, or again a statement */
            params: {
                [key: string]: unknown;
            };
            /** @description In English */
            text: string;
        };
        Recipe: {
            id: components["schemas"]["Id"];
            /** @description In Chinese and English */
            name: string;
            calories: components["schemas"]["Figure"];
            /** @description Why it is recommended */
            suitable: string[];
            /** @description The reasons, in a form that can be translated */
            suitableStatements?: components["schemas"]["Statement"][];
            description: string;
            nutrition: components["schemas"]["Nutrition"];
            /** @description Of one serving */
            ingredients: components["schemas"]["Ingredient"][];
        };
        MealListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Meal"][];
        };
        MealSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Meal"];
        };
        DoneSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
        };
        NutritionReportSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["NutritionReport"];
        };
        MealPlanSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["MealPlan"];
        };
        RecipeListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Recipe"][];
        };
        BadRequestFailure: {
            /** @enum {integer} */
            code: 400;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        UnauthenticatedFailure: {
            /** @enum {integer} */
            code: 401;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        ForbiddenFailure: {
            /** @enum {integer} */
            code: 403;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        NotFoundFailure: {
            /** @enum {integer} */
            code: 404;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        ConflictFailure: {
            /** @enum {integer} */
            code: 409;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        TooLargeFailure: {
            /** @enum {integer} */
            code: 413;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        UnsupportedMediaFailure: {
            /** @enum {integer} */
            code: 415;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        TooManyRequestsFailure: {
            /** @enum {integer} */
            code: 429;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        InternalErrorFailure: {
            /** @enum {integer} */
            code: 500;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        UnavailableFailure: {
            /** @enum {integer} */
            code: 503;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
    };
    responses: {
        /** @description Today's meals, sorted by time */
        MealListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Cache-Control": components["headers"]["CacheControl"];
                Age: components["headers"]["Age"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": [
                 *         {
                 *           "id": 31,
                 *           "time": "08:00",
                 *           "name": "Breakfast",
                 *           "description": "",
                 *           "calories": 300.1,
                 *           "nutrition": {
                 *             "protein": 20.7,
                 *             "carbs": 13.1,
                 *             "fat": 17.9
                 *           },
                 *           "status": "done",
                 *           "ingredients": [
                 *             {
                 *               "name": "鸡蛋",
                 *               "amount": "2个"
                 *             },
                 *             {
                 *               "name": "milk",
                 *               "amount": "250ml"
                 *             }
                 *           ],
                 *           "coverage": 1,
                 *           "unknownIngredients": [],
                 *           "ownFigures": [],
                 *           "notExcluded": [],
                 *           "version": "9b2c4d6e8f0a1b3c5d7e9f1a2b4c6d8e"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MealListSuccess"];
            };
        };
        /** @description The meal as it is now */
        MealResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "id": 31,
                 *         "time": "08:00",
                 *         "name": "Breakfast",
                 *         "description": "",
                 *         "calories": 300.1,
                 *         "nutrition": {
                 *           "protein": 20.7,
                 *           "carbs": 13.1,
                 *           "fat": 17.9
                 *         },
                 *         "status": "done",
                 *         "ingredients": [
                 *           {
                 *             "name": "鸡蛋",
                 *             "amount": "2个"
                 *           },
                 *           {
                 *             "name": "milk",
                 *             "amount": "250ml"
                 *           }
                 *         ],
                 *         "coverage": 1,
                 *         "unknownIngredients": [],
                 *         "ownFigures": [],
                 *         "notExcluded": [],
                 *         "version": "9b2c4d6e8f0a1b3c5d7e9f1a2b4c6d8e"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MealSuccess"];
            };
        };
        /** @description The status was set */
        DoneResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success"
                 *     }
                 */
                "application/json": components["schemas"]["DoneSuccess"];
            };
        };
        /** @description Today's report */
        NutritionReportResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Cache-Control": components["headers"]["CacheControl"];
                Age: components["headers"]["Age"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "dailyCalories": 1712.4,
                 *         "nutrition": {
                 *           "protein": 71.2,
                 *           "carbs": 224.5,
                 *           "fat": 58.8
                 *         },
                 *         "suggestions": [
                 *           "The day has 1712.4 kcal, 287.6 kcal (14.4 %) less than the 2000 kcal it should have. Add recipe 2, 南瓜小米粥 (Pumpkin and millet porridge), 245.5 kcal: then the day has 1957.9 kcal, with 16.1 % protein, 55.9 % carbs, 28 % fat."
                 *         ],
                 *         "status": "warning",
                 *         "target": {
                 *           "calories": 2000,
                 *           "protein": {
                 *             "min": 50,
                 *             "max": 100
                 *           },
                 *           "carbs": {
                 *             "min": 250,
                 *             "max": 325
                 *           },
                 *           "fat": {
                 *             "min": 44.4,
                 *             "max": 66.7
                 *           }
                 *         },
                 *         "eaten": {
                 *           "calories": 300.1,
                 *           "protein": 20.7,
                 *           "carbs": 13.1,
                 *           "fat": 17.9
                 *         },
                 *         "coverage": 1,
                 *         "unknownIngredients": []
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NutritionReportSuccess"];
            };
        };
        /** @description The plan */
        MealPlanResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "id": 7,
                 *         "date": "2026-01-31",
                 *         "meals": [
                 *           {
                 *             "id": 31,
                 *             "time": "08:00",
                 *             "name": "Breakfast",
                 *             "description": "",
                 *             "calories": 300.1,
                 *             "nutrition": {
                 *               "protein": 20.7,
                 *               "carbs": 13.1,
                 *               "fat": 17.9
                 *             },
                 *             "status": "done",
                 *             "ingredients": [
                 *               {
                 *                 "name": "鸡蛋",
                 *                 "amount": "2个"
                 *               },
                 *               {
                 *                 "name": "milk",
                 *                 "amount": "250ml"
                 *               }
                 *             ],
                 *             "coverage": 1,
                 *             "unknownIngredients": [],
                 *             "ownFigures": [],
                 *             "notExcluded": [],
                 *             "version": "9b2c4d6e8f0a1b3c5d7e9f1a2b4c6d8e"
                 *           }
                 *         ],
                 *         "totalCalories": 300.1,
                 *         "preferences": [
                 *           "low fat"
                 *         ],
                 *         "allergies": [
                 *           "peanuts"
                 *         ],
                 *         "nutrition": {
                 *           "protein": 20.7,
                 *           "carbs": 13.1,
                 *           "fat": 17.9
                 *         },
                 *         "coverage": 1,
                 *         "unknownIngredients": [],
                 *         "warnings": [],
                 *         "version": "6d1f0c5e4a3b2d1c0f9e8d7c6b5a4938"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MealPlanSuccess"];
            };
        };
        /** @description Recipes, the best first */
        RecipeListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Cache-Control": components["headers"]["CacheControl"];
                Age: components["headers"]["Age"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": [
                 *         {
                 *           "id": 40,
                 *           "name": "番茄炒蛋盖饭 (Tomato and eggs over rice)",
                 *           "calories": 498.4,
                 *           "suitable": [
                 *             "498.4 kcal of the 1699.9 kcal that are left today",
                 *             "chinese",
                 *             "without peanuts",
                 *             "lunch",
                 *             "dinner"
                 *           ],
                 *           "description": "软嫩的炒蛋裹着番茄汁，盖在米饭上。 Soft scrambled eggs in tomato juice over rice.",
                 *           "nutrition": {
                 *             "protein": 19,
                 *             "carbs": 60.8,
                 *             "fat": 19.6
                 *           },
                 *           "ingredients": [
                 *             {
                 *               "name": "鸡蛋",
                 *               "amount": "2个"
                 *             },
                 *             {
                 *               "name": "番茄",
                 *               "amount": "200g"
                 *             },
                 *             {
                 *               "name": "菜籽油",
                 *               "amount": "10ml"
                 *             },
                 *             {
                 *               "name": "米饭",
                 *               "amount": "170g"
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RecipeListSuccess"];
            };
        };
        /** @description The request is not valid */
        BadRequestResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 400,
                 *       "message": "status: must be one of pending, current, done",
                 *       "data": [
                 *         {
                 *           "field": "status",
                 *           "message": "must be one of pending, current, done",
                 *           "reason": "contract.not_one_of",
                 *           "params": {
                 *             "values": "pending, current, done"
                 *           }
                 *         }
                 *       ],
                 *       "reason": "contract.not_one_of",
                 *       "params": {
                 *         "values": "pending, current, done"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BadRequestFailure"];
            };
        };
        /** @description The token is missing or not valid, or its user is disabled */
        UnauthenticatedResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 401,
                 *       "message": "sign in first: no valid token was sent, or its session has ended",
                 *       "data": null,
                 *       "reason": "access.not_signed_in",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["UnauthenticatedFailure"];
            };
        };
        /** @description The caller's roles do not grant this */
        ForbiddenResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 403,
                 *       "message": "none of your roles grants this operation",
                 *       "data": null,
                 *       "reason": "access.not_granted",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["ForbiddenFailure"];
            };
        };
        /** @description The record does not exist */
        NotFoundResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 404,
                 *       "message": "id: meal 12 does not exist",
                 *       "data": [
                 *         {
                 *           "field": "id",
                 *           "message": "meal 12 does not exist",
                 *           "reason": "diet.meal_not_found",
                 *           "params": {
                 *             "id": "12"
                 *           }
                 *         }
                 *       ],
                 *       "reason": "diet.meal_not_found",
                 *       "params": {
                 *         "id": "12"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NotFoundFailure"];
            };
        };
        /** @description The current state does not allow the operation */
        ConflictResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 409,
                 *       "message": "version: the record was changed by another request: read it again",
                 *       "data": [
                 *         {
                 *           "field": "version",
                 *           "message": "the record was changed by another request: read it again",
                 *           "reason": "db.changed_meanwhile",
                 *           "params": {}
                 *         }
                 *       ],
                 *       "reason": "db.changed_meanwhile",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["ConflictFailure"];
            };
        };
        /** @description The body is too large */
        TooLargeResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 413,
                 *       "message": "the body is too large",
                 *       "data": null,
                 *       "reason": "contract.body_too_large",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["TooLargeFailure"];
            };
        };
        /** @description The body is not JSON */
        UnsupportedMediaResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 415,
                 *       "message": "the body must be application/json, and not compressed",
                 *       "data": null,
                 *       "reason": "contract.media_type",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["UnsupportedMediaFailure"];
            };
        };
        /** @description Too many requests; `Retry-After` says how many seconds to wait */
        TooManyRequestsResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 429,
                 *       "message": "too many requests",
                 *       "data": null,
                 *       "reason": "service.limited",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["TooManyRequestsFailure"];
            };
        };
        /** @description An internal error */
        InternalErrorResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 500,
                 *       "message": "internal error, request 0c1f8e52-7a41-4a5e-9a37-0f9d3b6c2e11",
                 *       "data": null,
                 *       "reason": "service.internal",
                 *       "params": {
                 *         "request": "0c1f8e52-7a41-4a5e-9a37-0f9d3b6c2e11"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InternalErrorFailure"];
            };
        };
        /** @description Not ready */
        UnavailableResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 503,
                 *       "message": "the database is not available",
                 *       "data": null,
                 *       "reason": "service.database_away",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["UnavailableFailure"];
            };
        };
    };
    parameters: {
        /**
         * @description The meal's id
         * @example 31
         */
        MealId: components["schemas"]["Id"];
        /**
         * @description The date of the plan
         * @example 2026-01-31
         */
        PlanDate: components["schemas"]["CalendarDate"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description The id of the request; quote it when you report a problem
         * @example 0c1f8e52-7a41-4a5e-9a37-0f9d3b6c2e11
         */
        RequestId: string;
        /**
         * @description How to authenticate (RFC 6750)
         * @example Bearer
         */
        WwwAuthenticate: string;
        /**
         * @description Seconds to wait before the next attempt
         * @example 30
         */
        RetryAfter: number;
        /**
         * @description How many requests the rate limit of this operation allows; absent if it has no limit
         * @example 60
         */
        RateLimitLimit: number;
        /**
         * @description How many requests are left
         * @example 59
         */
        RateLimitRemaining: number;
        /**
         * @description Seconds until the limit is reset
         * @example 60
         */
        RateLimitReset: number;
        /**
         * @description `private`, and how long the response may be cached
         * @example private, max-age=300
         */
        CacheControl: string;
        /**
         * @description Seconds since the response was created
         * @example 12
         */
        Age: number;
        /**
         * @description The headers of a request that a cached response holds for; also `Origin`, where other origins are allowed
         * @example authorization, cookie
         */
        Vary: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listTodaysMeals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MealListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            429: components["responses"]["TooManyRequestsResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    updateMeal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The meal's id
                 * @example 31
                 */
                id: components["parameters"]["MealId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Tomatoes and eggs",
                 *       "ingredients": [
                 *         {
                 *           "name": "egg",
                 *           "amount": "3个"
                 *         },
                 *         {
                 *           "name": "tomato",
                 *           "amount": "200g"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMeal"];
            };
        };
        responses: {
            200: components["responses"]["MealResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["TooManyRequestsResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    setMealStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The meal's id
                 * @example 31
                 */
                id: components["parameters"]["MealId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "done"
                 *     }
                 */
                "application/json": components["schemas"]["SetMealStatus"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["TooManyRequestsResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getNutritionReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["NutritionReportResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            429: components["responses"]["TooManyRequestsResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    savePlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "date": "2026-01-31",
                 *       "meals": [
                 *         {
                 *           "time": "08:00",
                 *           "name": "Breakfast",
                 *           "ingredients": [
                 *             {
                 *               "name": "鸡蛋",
                 *               "amount": "2个"
                 *             },
                 *             {
                 *               "name": "milk",
                 *               "amount": "250ml"
                 *             }
                 *           ]
                 *         },
                 *         {
                 *           "time": "12:30",
                 *           "recipeId": 40,
                 *           "servings": 1
                 *         }
                 *       ],
                 *       "preferences": [
                 *         "low fat"
                 *       ],
                 *       "allergies": [
                 *         "peanuts"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SavePlan"];
            };
        };
        responses: {
            200: components["responses"]["MealPlanResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["TooManyRequestsResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The date of the plan
                 * @example 2026-01-31
                 */
                date: components["parameters"]["PlanDate"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MealPlanResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            429: components["responses"]["TooManyRequestsResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listRecommendedRecipes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RecipeListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            429: components["responses"]["TooManyRequestsResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
}
