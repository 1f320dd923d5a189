using CoAP.Formats.Generation.Emission;
using CoAP.Hosting.Generation.Calls;

namespace CoAP.Hosting.Generation.Emission;

/// <summary>Writes the code that reads the parameters of a handler.</summary>
internal sealed class ParameterEmitter(CodeWriter code, bool isAsync)
{
    private const string Binding = "global::CoAP.Hosting.Binding.";
    private const string Payloads = "global::CoAP.RequestPayloadExtensions";

    /// <summary>Writes what is done once, when the handler is mapped.</summary>
    public void WriteSetup(HandlerParameter parameter)
    {
        var (name, type) = (parameter.Name, parameter.ValueType);
        if (parameter.Source is ParameterSource.Argument or ParameterSource.Arguments)
        {
            code.Line($"var {name}Source = new {Binding}RequestArgument<{type}>("
                + $"resource, {parameter.Key}, {Binding}ArgumentSource.{parameter.Place}, \"{parameter.DisplayType}\", {parameter.Parser});");
        }
        else if (parameter.Source == ParameterSource.PayloadOrService)
        {
            code.Line($"var {name}Source = new {Binding}PayloadOrService<{type}>(services);");
        }
    }

    /// <summary>Writes what is done for each request.</summary>
    public void WriteRead(HandlerParameter parameter)
    {
        switch (parameter.Source)
        {
            case ParameterSource.Argument when parameter.Default is null:
                WriteTry(parameter, $"{parameter.Name}Source.TryRead(request, out var {parameter.Name}, out var {parameter.Name}Failure)");
                break;
            case ParameterSource.Argument:
                var name = parameter.Name;
                WriteTry(parameter, $"{name}Source.TryReadOptional(request, out var {name}Value, out var {name}IsPresent, out var {name}Failure)");
                code.Line($"{parameter.Type} {name} = {name}IsPresent ? {name}Value! : {parameter.Default};");
                break;
            case ParameterSource.Arguments:
                WriteTry(parameter, $"{parameter.Name}Source.TryReadAll(request, out var {parameter.Name}, out var {parameter.Name}Failure)");
                break;
            case ParameterSource.Option:
                WriteTry(parameter, $"{Binding}HandlerBinding.TryReadOption<{parameter.ValueType}>(request, out var {parameter.Name}, out var {parameter.Name}Failure)");
                break;
            default:
                code.Line($"{parameter.Type} {parameter.Name} = {ExpressionOf(parameter)};");
                break;
        }
    }

    private void WriteTry(HandlerParameter parameter, string attempt)
    {
        var failure = $"{parameter.Name}Failure";
        code.Line($"if (!{attempt}) {{ return {(isAsync ? failure : $"new global::System.Threading.Tasks.ValueTask<global::CoAP.CoapResponse>({failure})")}; }}");
    }

    private string ExpressionOf(HandlerParameter parameter) => parameter.Source switch
    {
        ParameterSource.Service => ServiceOf(parameter),
        ParameterSource.Payload => PayloadOf(parameter),
        ParameterSource.PayloadOrService => $"{parameter.Name}Source.IsService(request) ? {ServiceOf(parameter)} : {PayloadOf(parameter)}",
        _ => parameter.Expression,
    };

    private static string ServiceOf(HandlerParameter parameter)
    {
        var (binding, type) = ($"{Binding}HandlerBinding", parameter.ValueType);
        if (parameter.Key.Length > 0) { return $"{binding}.KeyedService<{type}>(request, {parameter.Key})"; }
        return parameter.Default is null ? $"{binding}.Service<{type}>(request)" : $"{binding}.OptionalService<{type}>(request)";
    }

    private string PayloadOf(HandlerParameter parameter)
    {
        var type = parameter.ValueType;
        var read = isAsync ? $"await {Payloads}.ReadAsync<{type}>(request, cancellationToken).ConfigureAwait(false)" : $"{Payloads}.Read<{type}>(request)";
        return parameter.Default is { } absent ? $"({Binding}HandlerBinding.HasNoPayload(request) ? {absent} : {read})" : read;
    }
}
