CREATE TABLE "known_binders" (
	"subscriber" text NOT NULL,
	"name" text NOT NULL,
	"last_bound_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "known_binders_subscriber_name_pk" PRIMARY KEY("subscriber","name")
);
--> statement-breakpoint
CREATE INDEX "known_binders_last_bound_index" ON "known_binders" USING btree ("last_bound_at");