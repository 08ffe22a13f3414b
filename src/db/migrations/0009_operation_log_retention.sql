CREATE TABLE "operation_log_writers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "operation_log_head" ADD COLUMN "cut_seal" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "operation_logs" ADD COLUMN "times" integer DEFAULT 1 NOT NULL;