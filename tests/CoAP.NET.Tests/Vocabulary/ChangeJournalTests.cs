namespace CoAP.Tests.Vocabulary;

/// <summary>Changes that pass through a journal to a store.</summary>
public sealed class ChangeJournalTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    // The last change that waits can be merged away at any moment, also just before the journal takes it.
    [Fact]
    public async Task What_was_applied_is_flushed_although_the_change_behind_it_is_merged_away()
    {
        var random = new Random(7);
        for (var run = 0; run < 5000; run++)
        {
            using var cut = new Journal();
            cut.Put(1, "a");
            cut.Put(2, "b");
            cut.MayApply.Set();
            Thread.SpinWait(random.Next(300));
            cut.Put(2, "");

            await cut.CompleteAsync(TimeProvider.System).WaitAsync(Patience);

            cut.Flushed.Should().Be(cut.Applied, $"all is flushed in run {run}");
        }
    }

    [Fact]
    public async Task Changes_that_keep_coming_do_not_put_off_the_flush()
    {
        using var cut = new Journal { Follows = 100 };
        cut.MayApply.Set();

        cut.Put(0, "a");
        await cut.AllApplied.Task.WaitAsync(Patience);
        await cut.CompleteAsync(TimeProvider.System).WaitAsync(Patience);

        cut.MostUnflushed.Should().BeLessThanOrEqualTo(2, "each batch has one change");
        (cut.Applied, cut.Flushed).Should().Be((100, 100));
    }

    /// <summary>Counts what it applies. An empty change takes back one that waits.</summary>
    private sealed class Journal : ChangeJournal<int, string>, IDisposable
    {
        public ManualResetEventSlim MayApply { get; } = new();

        public TaskCompletionSource AllApplied { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        /// <summary>The number of changes of which each one adds the next while it is applied.</summary>
        public int Follows { get; init; }

        public int Applied { get; private set; }

        public int Flushed { get; private set; }

        public int MostUnflushed { get; private set; }

        public void Put(int key, string change) => Add(key, change);

        public void Dispose() => MayApply.Dispose();

        protected override string? Merge(string earlier, string later) => later.Length == 0 ? null : later;

        protected override void Apply(string change)
        {
            MayApply.Wait(Patience);
            Applied++;
            MostUnflushed = Math.Max(MostUnflushed, Applied - Flushed);
            if (Applied < Follows) { Put(Applied, "a"); }
            else { AllApplied.TrySetResult(); }
        }

        protected override void Flush() => Flushed = Applied;

        protected override void OnFailed(Exception exception) => throw exception;
    }
}
