namespace CoAP.Benchmarks.Load;

/// <summary>A server with a synchronous handler that sometimes blocks, and another one beside it.</summary>
internal static class SlowService
{
    // The name that the library gives its handler threads. All other threads belong to lanes.
    private const string HandlerThread = "CoAP handlers";

    private static int _calls;
    private static int _stalls;

    /// <summary>
    /// Starts the server. It answers the question "stalls" with the number of calls that blocked a lane, and "threads" with that of its
    /// threads.
    /// </summary>
    /// <param name="values">How long a call blocks, in milliseconds, and which ones do: one in so many.</param>
    public static Task<IService> StartAsync(ServiceValues values)
    {
        var (time, every) = (TimeSpan.FromMilliseconds(values.Number("blocks")), (int)values.Number("every"));
        return CoapService.StartAsync(Limits.Server with { Lanes = 1 }, ["udp", "tcp"], Map, Answer);

        void Map(CoapServer server)
        {
            server.Resources.At("hello").Get(static _ => Response.Content("Hello, CoAP!"));
            server.Resources.At("slow").Get(_ =>
            {
                if (Interlocked.Increment(ref _calls) % every == 0)
                {
                    if (Thread.CurrentThread.Name != HandlerThread) { Interlocked.Increment(ref _stalls); }
                    Thread.Sleep(time);
                }
                return Response.Content("at last");
            });
        }
    }

    private static string Answer(string question)
    {
        if (question == "stalls") { return $"{_stalls}"; }
        using var process = Process.GetCurrentProcess();
        return $"{process.Threads.Count}";
    }
}
