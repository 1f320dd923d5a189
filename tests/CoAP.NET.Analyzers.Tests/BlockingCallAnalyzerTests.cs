using CoAP.Analyzers.Inline;

namespace CoAP.Analyzers.Tests;

/// <summary>What blocks the lane, and where.</summary>
public sealed class BlockingCallAnalyzerTests
{
    private const string Members = """
        private static readonly ManualResetEventSlim Ready = new();
        private static readonly SemaphoreSlim Turn = new(1);
        private static Task<string> LoadAsync(string id = "") => Task.FromResult(id);
        private static ValueTask<string> FindAsync() => new("x");
        private static readonly Task<string> Known = LoadAsync();
        """;

    [Theory]
    [InlineData("[|Thread.Sleep(5)|];", "'Thread.Sleep' blocks the lane that runs this handler, so all other peers of the lane wait. Await Task.Delay instead, or map the handler with HandlerMode.Buffered.")]
    [InlineData("[|Thread.CurrentThread.Join()|];", "'Thread.Join' * wait. Map the handler with HandlerMode.Buffered.")]
    [InlineData("[|LoadAsync().Wait()|];", "'Task.Wait' * Await the task instead, or *")]
    [InlineData("_ = [|LoadAsync().Result|];", "'Task.Result' * Await the task instead, or *")]
    [InlineData("_ = [|FindAsync().Result|];", "'ValueTask.Result' *")]
    [InlineData("_ = [|LoadAsync().GetAwaiter().GetResult()|];", "'GetAwaiter().GetResult()' *")]
    [InlineData("_ = [|FindAsync().ConfigureAwait(false).GetAwaiter().GetResult()|];", "'GetAwaiter().GetResult()' *")]
    [InlineData("[|Task.WaitAll(LoadAsync(), LoadAsync())|];", "'Task.WaitAll' * Await Task.WhenAll instead*")]
    [InlineData("[|new ManualResetEvent(false).WaitOne()|];", "'WaitHandle.WaitOne' *")]
    [InlineData("[|Ready.Wait(token)|];", "'ManualResetEventSlim.Wait' *")]
    [InlineData("[|Turn.Wait(TimeSpan.FromSeconds(1))|];", "'SemaphoreSlim.Wait' * Await SemaphoreSlim.WaitAsync instead*")]
    [InlineData("_ = [|client.Get(\"coap://h/x\")|];", "'Get' * Await GetAsync instead*")]
    [InlineData("_ = [|client.Get<string>(\"coap://h/x\")|];", "'Get' *")]
    [InlineData("_ = [|request.Channel.Send(new CoapRequest(RequestCode.Get, \"/x\"))|];", "'Send' * Await SendAsync instead*")]
    [InlineData("foreach (var one in [|client.Observe(\"coap://h/x\")|]) { _ = one; }", "'Observe' * Await ObserveAsync instead*")]
    [InlineData("_ = [|server.GetChannels()|];", "'GetChannels' *")]
    [InlineData("_ = [|File.ReadAllText(\"x\")|];", "'File.ReadAllText' * Await ReadAllTextAsync instead*")]
    [InlineData("using var file = File.OpenRead(\"x\"); [|file.CopyTo(new MemoryStream())|];", "'Stream.CopyTo' *")]
    [InlineData("_ = [|new HttpClient().Send(new HttpRequestMessage())|];", "'HttpClient.Send' *")]
    [InlineData("string Load() => [|LoadAsync().Result|]; _ = Load();", "'Task.Result' *")]
    public async Task A_blocking_call_in_an_inline_handler_is_reported(string statement, string message)
    {
        var handler = $$"""map.At("x").Get(async (request, token) => { {{statement}} await Task.Yield(); return Response.Changed; });""";

        var found = await AnalyzerRun.CheckAsync(new BlockingCallAnalyzer(), AnalyzerRun.Method(handler, Members));

        found.Should().ContainSingle().Which.Should().Match("COAP201: " + message);
    }

    [Theory]
    [InlineData("await Task.Delay(5, token);")]
    [InlineData("_ = Turn.Wait(0);")]
    [InlineData("_ = Turn.Wait(TimeSpan.Zero);")]
    [InlineData("_ = await LoadAsync().ConfigureAwait(false);")]
    [InlineData("var task = LoadAsync(); await Task.WhenAll(task); _ = task.Result;")]
    [InlineData("var tasks = new[] { LoadAsync() }; await Task.WhenAll(tasks); foreach (var one in tasks) { _ = one.Result; } _ = tasks[0].Result;")]
    [InlineData("var first = await Task.WhenAny(LoadAsync(), LoadAsync()); _ = first.Result;")]
    [InlineData("var pending = FindAsync(); _ = pending.IsCompletedSuccessfully ? pending.Result : await pending;")]
    [InlineData("if (Known is { IsCompletedSuccessfully: true }) { _ = Known.Result; }")]
    [InlineData("_ = await Task.Run(() => File.ReadAllText(\"x\"));")]
    [InlineData("Func<string> later = () => LoadAsync().Result; _ = later;")]
    [InlineData("string Load() => LoadAsync().Result; Func<string> later = Load; _ = later;")]
    [InlineData("new MemoryStream().CopyTo(Stream.Null);")]
    [InlineData("_ = nameof(Known.Result);")]
    [InlineData("_ = new { Result = 1 }.Result;")]
    [InlineData("_ = request.PayloadText; _ = await client.GetAsync(\"coap://h/x\", token);")]
    public async Task A_call_that_does_not_block_is_not_reported(string statement)
    {
        var handler = $$"""map.At("x").Get(async (request, token) => { {{statement}} await Task.Yield(); return Response.Changed; });""";

        var found = await AnalyzerRun.CheckAsync(new BlockingCallAnalyzer(), AnalyzerRun.Method(handler, Members));

        found.Should().BeEmpty();
    }

    [Theory]
    [InlineData("""map.At("x").Get(request => Response.Content(File.ReadAllText("x")));""")]
    [InlineData("""map.At("x").Get(async (request, token) => { Thread.Sleep(5); await Task.Yield(); return Response.Changed; }, HandlerMode.Buffered);""")]
    [InlineData("""var mode = Environment.ProcessorCount > 1 ? HandlerMode.Inline : HandlerMode.Buffered; map.At("x").Get(Sync, mode);""")]
    [InlineData("""map.At("x").On(RequestCode.Put, Sync);""")]
    [InlineData("""map.Add("x", new Doors(), HandlerMode.Buffered);""")]
    [InlineData("""map.MapCoapResource<Doors>("x", HandlerMode.Buffered);""")]
    [InlineData("""map.MapCoapGet("x", () => File.ReadAllText("x"));""")]
    [InlineData("""map.MapCoapPut("x", () => Thread.Sleep(5));""")]
    [InlineData("""server.Use(next => { Thread.Sleep(5); return next; });""")]
    [InlineData("""_ = MeshLink.Stages(lane => Thread.Sleep(5));""")]
    [InlineData("""builder.Map((server, services) => Thread.Sleep(5));""")]
    [InlineData("""Thread.Sleep(5); _ = client.Get("coap://h/x");""")]
    public async Task Code_that_may_block_is_not_reported(string statement)
    {
        var source = AnalyzerRun.Method(statement, """
            private static CoapResponse Sync(IncomingRequest request) { Thread.Sleep(5); return Response.Changed; }
            private sealed class Doors : CoapResource
            {
                protected override ValueTask<CoapResponse> GetAsync(IncomingRequest request, CancellationToken token) { Thread.Sleep(5); return new(Response.Changed); }
            }
            """);

        var found = await AnalyzerRun.CheckAsync(new BlockingCallAnalyzer(), source);

        found.Should().BeEmpty();
    }

    [Theory]
    [InlineData("""map.At("x").Get(_ => { [|Thread.Sleep(5)|]; return Response.Changed; }, HandlerMode.Inline);""", "handler")]
    [InlineData("""map.At("x").On(RequestCode.Put, (_, _) => { [|Thread.Sleep(5)|]; return new(Response.Changed); });""", "handler")]
    [InlineData("""map.MapCoapGet("x", async (int id) => { [|Thread.Sleep(5)|]; await Task.Yield(); return id; });""", "handler")]
    [InlineData("""host.MapCoapPut("x", Task () => { [|Thread.Sleep(5)|]; return Task.CompletedTask; });""", "handler")]
    [InlineData("""map.Add("x", _ => { [|Thread.Sleep(5)|]; return null!; });""", "handler")]
    [InlineData("""server.Use(next => async (request, token) => { [|Thread.Sleep(5)|]; return await next(request, token); });""", "step")]
    [InlineData("""resource.Use(next => { ValueTask<CoapResponse> Run(IncomingRequest request, CancellationToken token) { [|Thread.Sleep(5)|]; return next(request, token); } return Run; });""", "step")]
    [InlineData("""builder.Use((next, services) => (request, token) => { [|Thread.Sleep(5)|]; return next(request, token); });""", "step")]
    [InlineData("""server.Authorize(head => { [|Thread.Sleep(5)|]; return AuthorizationDecision.Allow(); });""", "authorizer")]
    [InlineData("""resource.Authorize(async (head, token) => { [|Thread.Sleep(5)|]; await Task.Yield(); return AuthorizationDecision.Allow(); });""", "authorizer")]
    [InlineData("""builder.Authorize(async (head, services, token) => { [|Thread.Sleep(5)|]; await Task.Yield(); return AuthorizationDecision.Allow(); });""", "authorizer")]
    [InlineData("""Authorizer ask = (head, token) => { [|Thread.Sleep(5)|]; return new(AuthorizationDecision.Allow()); }; _ = ask;""", "authorizer")]
    [InlineData("""_ = MeshLink.Filter(MeshArrow.Requests, request => { [|Thread.Sleep(5)|]; return true; });""", "filter")]
    public async Task Each_place_that_runs_on_the_lane_is_known(string statement, string role)
    {
        var found = await AnalyzerRun.CheckAsync(new BlockingCallAnalyzer(), AnalyzerRun.Method(statement));

        found.Should().ContainSingle().Which.Should().Contain($"runs this {role},");
    }

    [Theory]
    [InlineData("""map.At("x").Get(Read); group.At("y").Get(Read);""")]
    [InlineData("""map.At("x").Get((Slow.Read));""")]
    [InlineData("""map.At("x").Get(Local); ValueTask<CoapResponse> Local(IncomingRequest request, CancellationToken token) => Read(request, token);""", false)]
    public async Task The_source_of_a_method_is_searched_in_all_files(string statement, bool isFound = true)
    {
        var method = $$"""internal static ValueTask<CoapResponse> Read(IncomingRequest request, CancellationToken token) { {{(isFound ? "[|Thread.Sleep(5)|]" : "Thread.Sleep(5)")}}; return new(Response.Changed); }""";
        var (inside, outside) = statement.Contains("Slow", StringComparison.Ordinal) ? ("", method) : (method, "");

        var found = await AnalyzerRun.CheckAsync(new BlockingCallAnalyzer(), AnalyzerRun.Method(statement, inside), $"internal static class Slow {{ {outside} }}");

        found.Should().HaveCount(isFound ? 1 : 0);
    }

    [Theory]
    [InlineData("""map.Add("x", new Doors());""")]
    [InlineData("""group.Add("x", _ => new Doors(), HandlerMode.Inline);""")]
    [InlineData("""map.MapCoapResource<Doors>("x"); host.MapCoapResource<Doors>("y");""")]
    [InlineData("""map.Add("x", new BackDoors());""")]
    public async Task The_methods_of_a_resource_class_are_handlers(string statement)
    {
        var found = await AnalyzerRun.CheckAsync(new BlockingCallAnalyzer(), AnalyzerRun.Method(statement), """
            internal class Doors : CoapResource
            {
                protected override async ValueTask<CoapResponse> GetAsync(IncomingRequest request, CancellationToken token)
                {
                    await Task.Yield();
                    [|Thread.Sleep(5)|];
                    return Response.Changed;
                }
                internal void Wait() => Thread.Sleep(5);
            }
            internal sealed class BackDoors : Doors;
            """);

        found.Should().ContainSingle();
    }

    [Fact]
    public async Task The_items_of_a_stage_are_processed_on_the_lane()
    {
        var found = await AnalyzerRun.CheckAsync(new BlockingCallAnalyzer(), """
            internal sealed class KeyCheck : InlineStage<IncomingRequest, IncomingRequest>
            {
                private readonly object _gate = new();
                internal KeyCheck() => Thread.Sleep(5);
                protected override void Process(in IncomingRequest item) { lock (_gate) { [|Thread.Sleep(5)|]; } Out.Emit(item); }
            }
            internal sealed class Other { internal void Process() => Thread.Sleep(5); }
            """);

        found.Should().Equal("COAP201: 'Thread.Sleep' blocks the lane that runs this stage, so all other peers of the lane wait. Use a step (Use), which may await.");
    }
}
