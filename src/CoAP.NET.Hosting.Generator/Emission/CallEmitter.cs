using CoAP.Formats.Generation.Emission;
using CoAP.Hosting.Generation.Calls;

namespace CoAP.Hosting.Generation.Emission;

/// <summary>Writes the method that replaces one call.</summary>
internal sealed class CallEmitter(CodeWriter code, HandlerCall call)
{
    private const string Binding = "global::CoAP.Hosting.Binding.HandlerBinding";
    private const string Result = "global::CoAP.Hosting.Binding.HandlerResult";
    private const string Response = "global::CoAP.Response";

    private readonly ParameterEmitter _parameters = new(code, call.Return.IsAsync);

    public void Write(int index)
    {
        code.Line(call.Location);
        code.Open($"internal static global::CoAP.Resource Map{index}(this {call.Receiver} target, string template, global::System.Delegate handler)");
        code.Line(call.DelegateType is { } type ? $"var invoke = ({type})handler;" : $"var invoke = {Binding}.Cast(handler, {call.Shape});");
        code.Line($"var resource = {Binding}.At(target, template);");
        WriteArguments();
        code.Open($"global::CoAP.RequestDelegate run = {(call.Return.IsAsync ? "async " : "")}(request, cancellationToken) =>");
        WriteAcceptance();
        // Reject wrong arguments before a service is created or the payload is read.
        foreach (var parameter in call.Parameters.Items.OrderBy(one => Order(one.Source))) { _parameters.WriteRead(parameter); }
        WriteCall();
        code.Close(";");
        var mode = call.Return.IsAsync ? "Inline" : "Learned";
        code.Line($"return resource.On(global::CoAP.RequestCode.{call.Method}, run, global::CoAP.HandlerMode.{mode});");
        code.Close();
    }

    private static int Order(ParameterSource source) => source switch
    {
        ParameterSource.Argument or ParameterSource.Arguments or ParameterSource.Option => 0,
        ParameterSource.Payload or ParameterSource.PayloadOrService => 1,
        _ => 2,
    };

    private void WriteArguments()
    {
        var undecided = call.Parameters.Items.Where(one => one.Source == ParameterSource.PayloadOrService).ToArray();
        if (undecided.Length > 0)
        {
            code.Line($"global::System.IServiceProvider? services = {(call.Receiver.EndsWith(".IHost", StringComparison.Ordinal) ? "target.Services" : "null")};");
        }
        foreach (var parameter in call.Parameters.Items) { _parameters.WriteSetup(parameter); }
        if (undecided.Length > 1)
        {
            code.Line($"{Binding}.ThrowIfSeveralPayloads(resource, {string.Join(", ", undecided.Select(one => $"{one.Name}Source.IsPayload"))});");
        }
    }

    // A 4.06 says that nothing has happened, so it must come before the handler changes something.
    private void WriteAcceptance()
    {
        if (call.Return.Type.Length == 0 || call.Method is "Get" or "Fetch") { return; }
        code.Open($"if (!{Result}.IsAcceptable<{call.Return.Type}>(request, out var notAcceptable))");
        WriteReturn("notAcceptable");
        code.Close();
    }

    private void WriteCall()
    {
        var arguments = string.Join(", ", call.Parameters.Items.Select(one => one.Name));
        var invoke = call.Return.IsAsync ? $"await invoke({arguments}).ConfigureAwait(false)" : $"invoke({arguments})";
        if (call.Return.Form == ResultForm.Nothing)
        {
            code.Line($"{invoke};");
            WriteReturn($"{Response}.{(call.Method == "Delete" ? "Deleted" : "Changed")}");
            return;
        }
        WriteReturn(call.Return.Form switch
        {
            ResultForm.Response => $"{Result}.Of({CodeOf(call.Method)}, {invoke})",
            ResultForm.NullableValue => $"{Result}.OfNullable({CodeOf(call.Method)}, {invoke})",
            _ => $"{Result}.Of({CodeOf(call.Method)}, {invoke})",
        });
    }

    private void WriteReturn(string response) =>
        code.Line(call.Return.IsAsync ? $"return {response};" : $"return new global::System.Threading.Tasks.ValueTask<global::CoAP.CoapResponse>({response});");

    private static string CodeOf(string method) => "global::CoAP.ResponseCode." + method switch
    {
        "Get" or "Fetch" => "Content",
        "Delete" => "Deleted",
        _ => "Changed",
    };
}
