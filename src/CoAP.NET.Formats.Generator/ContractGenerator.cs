using CoAP.Formats.Generation.Analysis;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace CoAP.Formats.Generation;

/// <summary>Implements partial classes that derive from PayloadContracts and have the attribute [PayloadContract].</summary>
[Generator(LanguageNames.CSharp)]
public sealed class ContractGenerator : IIncrementalGenerator
{
    /// <summary>The name of the step whose results are compared: if they are equal, nothing is generated again.</summary>
    public const string SetsStep = "Sets";

    private const string Attribute = "CoAP.Formats.PayloadContractAttribute";

    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        var sets = context.SyntaxProvider
            .ForAttributeWithMetadataName(
                Attribute,
                static (node, _) => node is ClassDeclarationSyntax,
                static (found, cancellationToken) => SetReader.Read(found, cancellationToken))
            .Where(static set => set is not null)
            .WithTrackingName(SetsStep);
        context.RegisterSourceOutput(sets, static (output, set) => set!.AddTo(output));
    }
}
