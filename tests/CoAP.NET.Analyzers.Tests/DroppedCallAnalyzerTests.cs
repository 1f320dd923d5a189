namespace CoAP.Analyzers.Tests;

/// <summary>Calls whose results are dropped.</summary>
public sealed class DroppedCallAnalyzerTests
{
    [Theory]
    [InlineData("""[|client.PutAsync("coap://h/x", "1"u8.ToArray())|];""", "The task of 'PutAsync' is dropped, so nothing waits for its end and its exceptions are lost. Await it, or assign it to '_' if that is intended.")]
    [InlineData("""[|server.StopAsync()|];""", "The task of 'StopAsync' is dropped*")]
    [InlineData("""[|server.StopAsync().ConfigureAwait(false)|];""", "The task of 'StopAsync' is dropped*")]
    [InlineData("""[|client.GetAsync("coap://h/x").AsTask()|];""", "The task of 'GetAsync' is dropped*")]
    [InlineData("""CoapClient? none = null; [|none?.GetAsync<string>("coap://h/x")|];""", "The task of 'GetAsync' is dropped*")]
    [InlineData("""Action send = () => [|client.PostAsync("coap://h/x", "1"u8.ToArray())|]; send();""", "The task of 'PostAsync' is dropped*")]
    [InlineData("""Action send = delegate { [|client.DisposeAsync()|]; }; send();""", "The task of 'DisposeAsync' is dropped*")]
    [InlineData("""void Send() => [|client.SendAndForgetAsync(new CoapRequest(RequestCode.Get, "coap://h/x"))|]; Send();""", "The task of 'SendAndForgetAsync' is dropped*")]
    [InlineData("""map.At("x").Get(request => { [|request.Channel.SendAsync(new CoapRequest(RequestCode.Get, "/x"))|]; return Response.Changed; });""", "The task of 'SendAsync' is dropped*")]
    [InlineData("""[|client.ObserveAsync("coap://h/x")|];""", "'ObserveAsync' does nothing until its result is read. Use 'await foreach'.")]
    [InlineData("""[|client.ObserveAsync<string>("coap://h/x")|];""", "'ObserveAsync' does nothing*")]
    [InlineData("""[|client.Observe("coap://h/x")|];""", "'Observe' does nothing until its result is read. Use 'foreach'.")]
    [InlineData("""[|client.MulticastAsync("coap://224.0.1.187/x", TimeSpan.FromSeconds(1))|];""", "'MulticastAsync' does nothing*")]
    public async Task A_dropped_result_is_reported(string statement, string message)
    {
        var found = await AnalyzerRun.CheckAsync(new DroppedCallAnalyzer(), AnalyzerRun.Method(statement));

        found.Should().ContainSingle().Which.Should().Match("COAP202: " + message);
    }

    [Theory]
    [InlineData("""_ = client.PutAsync("coap://h/x", "1"u8.ToArray());""")]
    [InlineData("""_ = client.ObserveAsync("coap://h/x");""")]
    [InlineData("""var task = server.StopAsync(); task.Wait();""")]
    [InlineData("""server.StopAsync().Wait();""")]
    [InlineData("""Func<Task> stop = () => server.StopAsync(); stop();""")]
    [InlineData("""client.Get("coap://h/x"); server.Start(); client.Dispose();""")]
    [InlineData("""Task.Delay(5); StopAsync();""")]
    [InlineData("""foreach (var one in client.Observe("coap://h/x")) { _ = one; }""")]
    [InlineData("""map.At("x").Get(async (request, token) => await request.Channel.SendAsync(new CoapRequest(RequestCode.Get, "/x"), token));""")]
    public async Task A_result_that_is_used_is_not_reported(string statement)
    {
        var found = await AnalyzerRun.CheckAsync(new DroppedCallAnalyzer(), AnalyzerRun.Method(statement, "private static Task StopAsync() => Task.CompletedTask;"));

        found.Should().BeEmpty();
    }

    // The compiler reports it there (CS4014), except behind a question mark.
    [Theory]
    [InlineData("""await Task.Yield(); client.GetAsync("coap://h/x");""")]
    [InlineData("""await Task.Yield(); client.GetAsync("coap://h/x").ConfigureAwait(false);""")]
    [InlineData("""await Task.Yield(); async Task SendAsync() { await Task.Yield(); client.GetAsync("coap://h/x"); } await SendAsync();""")]
    [InlineData("""await Task.Yield(); [|client?.GetAsync("coap://h/x")|];""")]
    [InlineData("""await Task.Yield(); [|client.ObserveAsync("coap://h/x")|];""")]
    [InlineData("""await Task.Yield(); Action send = () => [|client.GetAsync("coap://h/x")|]; send();""")]
    public async Task In_an_async_method_the_compiler_reports_dropped_tasks(string statement)
    {
        var source = AnalyzerRun.Method("", $$"""private async Task RunAsync(CoapClient client) { {{statement}} }""");

        var found = await AnalyzerRun.CheckAsync(new DroppedCallAnalyzer(), source);

        found.Concat(AnalyzerRun.CompilerWarnings(source).Where(id => id == "CS4014")).Should().ContainSingle();
    }
}
