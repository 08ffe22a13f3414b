ALTER TABLE "run_changes" ADD COLUMN "stated" jsonb;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "gap_statements" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "held_statements" jsonb DEFAULT '[]'::jsonb NOT NULL;