using CoAP.Measurements.HandOffs.Ends;

namespace CoAP.Measurements.HandOffs.Rungs;

/// <summary>Two semaphores, one for each direction. .NET's own spins for a while before it sleeps; a wait handle always sleeps.</summary>
internal static class Semaphores
{
    public static IPair OpenSlim(Placement placement)
    {
        var (there, back, isOver) = (new SemaphoreSlim(0), new SemaphoreSlim(0), new CancellationTokenSource());
        return new ThreadPair<SlimTurn>(new SlimTurn(there, back), () => { isOver.Cancel(); there.Release(); }, Echo, placement);

        void Echo()
        {
            while (true)
            {
                there.Wait();
                if (isOver.IsCancellationRequested) { return; }
                back.Release();
            }
        }
    }

    public static IPair OpenAwaited(Placement placement)
    {
        var (there, back, isOver) = (new SemaphoreSlim(0), new SemaphoreSlim(0), new CancellationTokenSource());
        _ = Task.Run(EchoAsync);
        return new TaskPair<AwaitedTurn>(new AwaitedTurn(there, back), () => { isOver.Cancel(); there.Release(); });

        async Task EchoAsync()
        {
            while (true)
            {
                await there.WaitAsync();
                if (isOver.IsCancellationRequested) { return; }
                back.Release();
            }
        }
    }

    public static IPair OpenHandles(Placement placement)
    {
        var (there, back, isOver) = (new AutoResetEvent(false), new AutoResetEvent(false), new CancellationTokenSource());
        return new ThreadPair<HandleTurn>(new HandleTurn(there, back), () => { isOver.Cancel(); there.Set(); }, Echo, placement);

        void Echo()
        {
            while (true)
            {
                there.WaitOne();
                if (isOver.IsCancellationRequested) { return; }
                back.Set();
            }
        }
    }

    private readonly struct SlimTurn(SemaphoreSlim there, SemaphoreSlim back) : ITurn
    {
        public void ThereAndBack()
        {
            there.Release();
            back.Wait();
        }
    }

    private readonly struct HandleTurn(AutoResetEvent there, AutoResetEvent back) : ITurn
    {
        public void ThereAndBack()
        {
            there.Set();
            back.WaitOne();
        }
    }

    private readonly struct AwaitedTurn(SemaphoreSlim there, SemaphoreSlim back) : IAwaitedTurn
    {
        public ValueTask<int> ThereAndBackAsync()
        {
            there.Release();
            var waiting = back.WaitAsync();
            return waiting.IsCompletedSuccessfully ? new ValueTask<int>(0) : SlowAsync(waiting);
        }

        private static async ValueTask<int> SlowAsync(Task waiting)
        {
            await waiting;
            return 0;
        }
    }
}
