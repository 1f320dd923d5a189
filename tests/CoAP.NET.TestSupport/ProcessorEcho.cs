using System.Collections.Concurrent;
using System.Runtime.InteropServices;

namespace CoAP.TestSupport;

/// <summary>A thread on each processor that answers when it gets its turn, so after most threads that were woken before it was asked.</summary>
/// <remarks>On an idle machine an answer takes microseconds. On a busy one it takes as long as the threads of the lanes wait for a processor.</remarks>
internal static partial class ProcessorEcho
{
    private static readonly BlockingCollection<TaskCompletionSource>[] Questions =
        [.. Enumerable.Range(0, Environment.ProcessorCount).Select(static processor => Start(processor))];

    /// <summary>Waits until the thread of each processor has had a turn.</summary>
    public static Task AskAsync() => Task.WhenAll(Questions.Select(static questions =>
    {
        var answer = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        questions.Add(answer);
        return answer.Task;
    }));

    private static BlockingCollection<TaskCompletionSource> Start(int processor)
    {
        var questions = new BlockingCollection<TaskCompletionSource>();
        var thread = new Thread(() => Answer(processor, questions)) { IsBackground = true, Name = $"echo {processor}" };
        thread.Start();
        return questions;
    }

    private static void Answer(int processor, BlockingCollection<TaskCompletionSource> questions)
    {
        // Where the process may not use the processor, the call fails, and the thread runs anywhere.
        if (OperatingSystem.IsLinux()) { _ = StayOn(0, sizeof(ulong), 1ul << processor); }
        foreach (var answer in questions.GetConsumingEnumerable()) { answer.SetResult(); }
    }

    [LibraryImport("libc", EntryPoint = "sched_setaffinity")]
    private static partial int StayOn(int thread, nint length, in ulong processors);
}
