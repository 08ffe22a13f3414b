CREATE TABLE "meal_plans" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "meal_plans_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"date" date NOT NULL,
	"preferences" jsonb NOT NULL,
	"allergies" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"saved_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "meals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "meals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"plan_id" bigint NOT NULL,
	"time" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"ingredients" jsonb NOT NULL,
	"own_figures" jsonb NOT NULL,
	"recipe_id" integer,
	CONSTRAINT "meals_status_check" CHECK ("meals"."status" in ('pending', 'current', 'done')),
	CONSTRAINT "meals_time_check" CHECK ("meals"."time" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
);
--> statement-breakpoint
ALTER TABLE "meal_plans" ADD CONSTRAINT "meal_plans_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meals" ADD CONSTRAINT "meals_plan_id_meal_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."meal_plans"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "meal_plans_user_date_key" ON "meal_plans" USING btree ("user_id","date");--> statement-breakpoint
CREATE INDEX "meal_plans_user_saved_index" ON "meal_plans" USING btree ("user_id","saved_at");--> statement-breakpoint
CREATE INDEX "meals_plan_index" ON "meals" USING btree ("plan_id");--> statement-breakpoint
CREATE UNIQUE INDEX "meals_current_key" ON "meals" USING btree ("plan_id") WHERE "meals"."status" = 'current';